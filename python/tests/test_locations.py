"""Lines of Python from the text of programs."""

from tacet_mpc._errors import Names, from_problem, RangeError, Unsupported, Lost, Interrupted
from tacet_mpc._locations import Locations

TEXT = """\
module @jit_f {
  func.func public @main(%arg0: tensor<2xf32> loc("x")) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32> loc(#loc9)
    %1 = stablehlo.tanh %0 : tensor<2xf32> loc("jit(f)/tanh"("/src/model.py":12:3 to :9))
    %3 = stablehlo.while(%iterArg = %1) : tensor<2xf32>
     cond {
      stablehlo.return %c : tensor<i1> loc(#loc)
    } do {
      stablehlo.return %iterArg : tensor<2xf32> loc(#loc)
    } loc(#loc10)
    %2 = call @relu(%1) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc9)
    return %2 : tensor<2xf32> loc(#loc)
  } loc(#loc)
  func.func private @relu(%arg0: tensor<2xf32> loc(unknown)) -> tensor<2xf32> {
    %0 = stablehlo.abs %arg0 : tensor<2xf32> loc(#loc3)
    return %0 : tensor<2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("/src/lib.py":3:20 to :35)
#loc2 = loc("/src/main.py":6:29 to :65)
#loc3 = loc("max")
#loc5 = loc("layer"(#loc1))
#loc6 = loc("main"(#loc2))
#loc7 = loc(callsite(#loc5 at #loc6))
#loc9 = loc("jit(f)/add"(#loc7))
#loc10 = loc("jit(f)/while"(#loc6))
"""


def test_lines():
    at = Locations(TEXT)
    assert at.source(3) == ("/src/lib.py", 3)
    assert at.source(4) == ("/src/model.py", 12)
    assert at.source(14) == ("/src/lib.py", 3), "a function without lines has those of its call"
    assert at.source(5) == ("/src/main.py", 6), "an operation with regions has its location at its end"
    assert at.line(4) == "model.py:12"
    assert at.line(12) == "" and at.line(0) == "" and at.line(99) == ""


def test_lines_of_libraries():
    """An operation of an optimiser has the line that calls it; if all lines are a library's, the innermost one."""
    tool = '"/lib/python3.11/site-packages/optax/_src/transform.py"'
    at = Locations(f'a loc(#loc3)\nb loc(#loc1)\n#loc1 = loc({tool}:300:2)\n#loc2 = loc("/src/fit.py":14:1)\n#loc3 = loc(callsite(#loc1 at #loc2))\n')
    assert at.line(1) == "fit.py:14" and at.line(2) == "transform.py:300"


def test_texts():
    text = "program.mlir:3:10: stablehlo.divide: by their size and 1e-08 (the constant at {}:12): set ring: 128 and fraction: 36"
    assert NAMES.translate(text.format(4)) == "lib.py:3: stablehlo.divide: by their size and 1e-08 (the constant at model.py:12): set ring=128 and fraction=36"
    assert "1e-08: set ring=128" in NAMES.translate(text.format(99)), "the place of a constant without a line is left out"


def test_cycles_end():
    assert Locations("a loc(#loc1)\n#loc1 = loc(#loc2)\n#loc2 = loc(#loc1)\n").line(1) == ""


NAMES = Names(["x", "model['w']"], ["result['p']"], Locations(TEXT).line)


def test_problems():
    err = from_problem(
        {
            "kind": "unsupported",
            "message": "program.mlir:4:5: stablehlo.fft: is not supported (use the dense form)",
            "place": "program.mlir:4:5",
            "operation": "stablehlo.fft",
            "remedy": "use the dense form",
        },
        NAMES,
    )
    assert isinstance(err, Unsupported) and err.op == "stablehlo.fft" and err.where == "model.py:12"
    assert str(err) == "stablehlo.fft: is not supported\n  at model.py:12\n  use the dense form"
    err = from_problem(
        {"kind": "range", "message": "/t/arg1.npy: argument 1, element [0,7]: NaN cannot be shared", "argument": 1, "element": "[0,7]"}, NAMES
    )
    assert isinstance(err, RangeError) and err.argument == "model['w'][0, 7]" and err.index == (0, 7)
    assert str(err) == "model['w'][0, 7]: NaN cannot be shared"
    err = from_problem({"kind": "peer-lost", "message": "lost bob", "party": "bob", "round": 12}, NAMES)
    assert isinstance(err, Lost) and (err.party, err.round) == ("bob", 12) and isinstance(err, ConnectionError)
    assert isinstance(from_problem({"kind": "interrupted", "message": "interrupted"}), Interrupted)
    assert str(from_problem({"kind": "brand-new", "message": "what"})) == "what"
