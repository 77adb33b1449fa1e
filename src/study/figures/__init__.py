"""Static figures as SVG, in one style."""
