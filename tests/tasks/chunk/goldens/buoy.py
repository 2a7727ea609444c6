#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# Copyright (c) 2022 The Harbour Office
"""Read the positions of the buoys and say which have drifted.

Positions come from the log of the pilot boat.

Usage:
    buoy.py LOG [--metres N]

Notes:
    A buoy swings around its anchor; only what leaves its circle has drifted.
"""

import argparse

EPILOG = "See buoy(1)."


def parser() -> argparse.ArgumentParser:
    """Not indexed: a function's docstring is code."""
    return argparse.ArgumentParser(
        description="""
        Compares two logs of the pilot boat.

        The older one comes first.
        """,
        epilog=EPILOG,
    )
