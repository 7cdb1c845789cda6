"""The renderings of reports: screen, CSV, XLSX, PDF. Each writes down what a selector made and works out nothing."""
