"""What all tests share."""

from __future__ import annotations

import pytest

import tacet_mpc as tacet


@pytest.fixture
def alice() -> tacet.Party:
    return tacet.parties("alice bob")[0]


@pytest.fixture
def bob() -> tacet.Party:
    return tacet.parties("alice bob")[1]
