"""The same elements in other shapes, orders and parts."""
