#!/usr/bin/env python3
"""Tiled QR: which worker executed which operation when, one panel per scheduler, from --trace."""

from gridloom import timeline
from gridloom.figure import main
from gridloom.tiled_qr.data import COLOURS, NAMES

NOTES = ["Boxes: tasks on their workers. FR3's scheduler is not drawn."]


def read(path):
    return timeline.read(path, "tiled-qr --trace")


def draw(stored):
    arms = list(dict.fromkeys(map(str, stored[0]["arm"])))
    kinds = {operation.upper(): colour for operation, colour in COLOURS.items()}
    title = "Tiled QR: {:,} tasks on their workers"
    return timeline.draw(stored, arms, NAMES, kinds, title, NOTES)


if __name__ == "__main__":
    file = {"nargs": None, "help": "written by tiled-qr --trace"}
    main("qr_timeline", __doc__, draw, read=read, files=file)
