"""HTML for notebooks: plain tables, readable on light and dark backgrounds."""

from __future__ import annotations

from html import escape

_CELL = "padding:2px 10px;text-align:"


def page(title: str, *parts: str) -> str:
    body = "".join(part for part in parts if part)
    return f'<div style="font-family:system-ui,sans-serif;font-size:13px"><b>{escape(title)}</b>{body}</div>'


def facts(pairs: list[tuple[str, str]]) -> str:
    return '<div style="opacity:.8">' + "<br>".join(f"{escape(k)}: {escape(v)}" for k, v in pairs if v) + "</div>"


def table(head: list[str], rows: list[list[str]], caption: str) -> str:
    if not rows:
        return ""
    title = f'<div style="margin-top:8px;opacity:.8">{escape(caption)}</div>' if caption else ""
    top = "".join(f'<th style="{_CELL}{_side(i, rows)}">{escape(h)}</th>' for i, h in enumerate(head))
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}{_side(i, rows)}">{escape(c)}</td>' for i, c in enumerate(row)) + "</tr>" for row in rows
    )
    return f'{title}<table style="border-collapse:collapse"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def bars(rows: list[tuple[str, int]], caption: str) -> str:
    if not rows:
        return ""
    most = max(n for _, n in rows) or 1
    lines = "".join(
        f'<tr><td style="{_CELL}left">{escape(name)}</td><td style="{_CELL}right">{n}</td>'
        f'<td><div style="background:#4c78a8;height:10px;width:{max(2, 240 * n // most)}px"></div></td></tr>'
        for name, n in rows
    )
    return f'<div style="margin-top:8px;opacity:.8">{escape(caption)}</div><table style="border-collapse:collapse">{lines}</table>'


def _side(column: int, rows: list[list[str]]) -> str:
    """Numbers stand on the right."""
    texts = [row[column] for row in rows if column < len(row) and row[column]]
    return "right" if texts and all(t[0].isdigit() for t in texts) else "left"
