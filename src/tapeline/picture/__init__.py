"""Pictures of a state and a verdict: SVG as text, PNG with the extra `png`. Measures nothing."""

from tapeline.picture.page import draw
from tapeline.picture.png import PngError, png

__all__ = ["PngError", "draw", "png"]
