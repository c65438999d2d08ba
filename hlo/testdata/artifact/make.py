"""Makes the portable artifacts of this folder, and the texts of what they hold.

Run it here with a Python that has JAX and flatbuffers; it was last run with JAX
0.10.2:

    python make.py

NAME.mlirbc is what jax.export serialises, and NAME.mlir what JAX reads from
it; functions.exported is what Exported.serialize writes. old.VERSION.mlirbc hold the operations of ../every_op.generic.mlir that
StableHLO 0.9.0 had, as written for several versions; every.mlirbc holds all of
them, those of chlo included. plain.bytecode is no portable artifact: it holds
StableHLO's own operations.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
jax.config.update("jax_enable_x64", True)

f32 = jnp.float32


def arg(*shape, dtype=f32):
    return jax.ShapeDtypeStruct(shape, dtype)


def elementwise(x, y, i):
    z = jnp.tanh(x) * jnp.sqrt(jnp.abs(y)) - jnp.maximum(x, y) / (1.5 + y * y)
    return jnp.where(x < y, z, jnp.clip(x, -1, 1)), i << 2, (i & 7) ^ 3, jnp.isfinite(z), x.astype(jnp.bfloat16)


def dot_general(x, y):
    return jnp.einsum("bij,bkj->bik", x, y), lax.dot_general(x[0], y[0].T, (((1,), (0,)), ((), ())), precision=lax.Precision.HIGHEST)


def convolution(x, k):
    y = lax.conv_general_dilated(x, k, (2, 1), ((1, 0), (0, 2)), rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y, lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def reduce(x):
    return jnp.sum(x, axis=0), jnp.argmax(x, axis=1), jnp.prod(x), jnp.cumsum(x, axis=1)


def loop(n, x):
    return lax.fori_loop(0, n, lambda i, s: s * 0.5 + i, x), lax.scan(lambda c, v: (c + v, c * v), x[0], x)


def branches(i, x):
    return lax.switch(i, [lambda v: v + 1, lambda v: v * v, jnp.flip], x), lax.cond(x[0] > 0, lambda v: v, lambda v: -v, x)


def sort(x, i):
    return lax.sort((x, i), dimension=1, num_keys=1), jnp.argsort(i, axis=0)


def index(x, i, u):
    return x[i], x.at[i].add(u), jnp.take_along_axis(x, i[:, None], axis=1), x[::2, 1:]


def custom_call(x):
    a = x @ x.T + 4 * jnp.eye(x.shape[0], dtype=x.dtype)
    return jnp.linalg.cholesky(a), jax.scipy.linalg.solve_triangular(a, x, lower=True)


TABLE = np.arange(12, dtype=np.float32).reshape(3, 4) / 7


def constants(x):
    bits = np.arange(19) % 3 == 0
    halves = np.array([0.5, -2, np.inf, np.nan], np.float16)
    return (x + TABLE, jnp.full((2, 3), 7, jnp.int8), jnp.asarray(bits), jnp.asarray(halves), jnp.full((20,), True), jnp.zeros((0, 3), jnp.uint16),
            jnp.array([1, 2**63 + 1], jnp.uint64), jnp.array([1 + 2j, -0.5j], jnp.complex64), jnp.array([-3, 4], jnp.int64), jnp.array([1e-3], jnp.bfloat16))


@jax.jit
def helper(x, y):
    return jnp.dot(x, y), x - y


def functions(x, y):
    a, b = helper(x, y)
    c, d = helper(b, y)
    return a + c, jax.nn.relu(d), jax.nn.softmax(d)


def dynamic_slice(x, i):
    y = lax.dynamic_slice(x, (i, i), (2, 3))
    return lax.dynamic_update_slice(x, y * 2, (i, i)), lax.dynamic_index_in_dim(x, i)


def iota(x):
    return lax.broadcasted_iota(jnp.int32, (3, 4), 1), jnp.arange(5, dtype=f32), jnp.eye(3, dtype=f32) + x, lax.rev(x, (0,)), lax.pad(x, f32(0), [(1, -1, 2)])


def rng(seed):
    key, bits = lax.rng_bit_generator(seed, (3, 4), dtype=jnp.uint32)
    return key, bits, jax.random.uniform(jax.random.PRNGKey(7), (4,), f32)


def fft(x):
    y = jnp.fft.rfft(x)
    return y, jnp.fft.irfft(y), jnp.fft.fft(y).real


def composite(x):
    return jax.scipy.special.erf(x), lax.top_k(x, 2), jax.scipy.special.gammaln(x)



PROGRAMS = [
    (elementwise, arg(3, 4), arg(3, 4), arg(5, dtype=jnp.uint8)),
    (dot_general, arg(2, 3, 4), arg(2, 5, 4)),
    (convolution, arg(1, 6, 7, 2), arg(3, 2, 2, 3)),
    (reduce, arg(3, 5)),
    (loop, arg(dtype=jnp.int32), arg(4)),
    (branches, arg(dtype=jnp.int32), arg(4)),
    (sort, arg(3, 5), arg(3, 5, dtype=jnp.int32)),
    (index, arg(4, 6), arg(4, dtype=jnp.int32), arg(4, 6)),
    (custom_call, arg(3, 3)),
    (constants, arg(3, 4)),
    (functions, arg(4), arg(4)),
    (dynamic_slice, arg(5, 3), arg(dtype=jnp.int32)),
    (iota, arg(3)),
    (rng, arg(2, dtype=jnp.uint64)),
    (fft, arg(2, 6)),
    (composite, arg(5)),
]

OLD = ["0.9.0", "0.12.0", "0.14.0", "0.15.0", "1.0.0", "1.9.0"]


def write(name, artifact, text=None):
    with open(name + ".mlirbc", "wb") as f:
        f.write(artifact)
    if text is not None:
        with open(name + ".mlir", "w") as f:
            f.write(text.rstrip() + "\n")


def text_of(artifact):
    with mlir.make_ir_context():
        module = _jax.mlir.deserialize_portable_artifact(artifact)
        return module.operation.get_asm(large_elements_limit=10**6)


def unused(block):
    """The operations of a block that can be left out, the last one first."""
    return [o for o in reversed(list(block)[:-1]) if all(not list(r.uses) for r in o.operation.results)]


def keep(source, wanted):
    """The module with only those of the unused operations that are wanted."""
    module = ir.Module.parse(source)
    ops = unused(module.body.operations[0].regions[0].blocks[0])
    for i, o in enumerate(ops):
        if not wanted(i):
            o.operation.erase()
    return module, len(ops)


def old_ops(source):
    """The operations that the oldest version can hold."""
    _, n = keep(source, lambda i: True)
    good = set()
    for k in range(n):
        module, _ = keep(source, lambda i: i == k)
        if ' = "chlo.' in module.operation.get_asm(print_generic_op_form=True):
            continue
        try:
            stablehlo.serialize_portable_artifact(module, OLD[0])
            good.add(k)
        except Exception:
            pass
    return keep(source, lambda i: i in good)[0]


def main():
    for f, *args in PROGRAMS:
        exported = export.export(jax.jit(f))(*args)
        b = exported.mlir_module_serialized
        write(f.__name__, b, text_of(b))
        if f is functions:
            with open("functions.exported", "wb") as out:
                out.write(exported.serialize())
    with open("../every_op.generic.mlir") as f:
        source = f.read()
    with mlir.make_ir_context():
        every = stablehlo.serialize_portable_artifact(ir.Module.parse(source), stablehlo.get_current_version(), True)
        old = old_ops(source)
        artifacts = {v: stablehlo.serialize_portable_artifact(old, v) for v in OLD}
    write("every", every, text_of(every))
    with mlir.make_ir_context(), open("static_shapes.mlir") as f:
        static = stablehlo.serialize_portable_artifact(ir.Module.parse(f.read()), "1.0.0")
    write("static_shapes", static, None)
    with mlir.make_ir_context(), open("plain.bytecode", "wb") as f:
        ir.Module.parse("module {\n func.func @main(%a: tensor<f32>) -> tensor<f32> {\n return %a : tensor<f32>\n}\n}").operation.write_bytecode(f)
    text = text_of(artifacts[OLD[0]])
    for v, b in artifacts.items():
        write("old." + v, b, text_of(b) if v == OLD[0] else None)
        if text_of(b) != text:
            print("what version", v, "holds differs")


main()
