"""The report: one page with every result beside what was published."""
