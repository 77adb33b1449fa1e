"""Bad inputs as data: named cases, each with what must become of it. Tests and trials run them."""
