"""An estate over time, as text, plots and a page."""
