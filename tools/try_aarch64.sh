#!/usr/bin/env bash
# The kernels on ARM, tried on another machine: Debian's aarch64 Python and the wheels of our dependencies go into a
# folder, kernels are cross-compiled, their tests run under qemu, and the scores of both machines are compared.
#
#     apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static      # Debian 12
#     tools/try_aarch64.sh [TEST …]
#
# PYTHON (python by default) is one that has Vericap's dependencies, Cython and pip. Packages are downloaded once.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python} folder=$PWD/build/aarch64 kernels=src/vericap/kernels
tests=("$@")
[ $# -gt 0 ] || tests=(tests/kernels/test_{recurrence,encoding,grammar}.py tests/scene/test_{layers,network}.py)

if [ ! -e "$folder/complete" ]; then
    mkdir -p "$folder"/{state/lists/partial,cache/archives/partial,root}
    : > "$folder/state/status" # nothing is installed
    apt=(apt-get -qq -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder/state"
        -o Dir::State::status="$folder/state/status" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User="$(id -un)")
    "${apt[@]}" update
    "${apt[@]}" --download-only --no-install-recommends install python3.11 libpython3.11-dev libstdc++6
    for package in "$folder"/cache/archives/*.deb; do dpkg -x "$package" "$folder/root"; done
    # PyStemmer 2 has no wheel for ARM: METEOR is left out.
    "$python" -m pip install -q --target "$folder/site" --python-version 3.11 --only-binary :all: \
        --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 pytest hypothesis POT sacrebleu \
        'numpy>=2' orjson pyarrow rapidfuzz regex rich 'typer<0.28' cython threadpoolctl scipy
    touch "$folder/complete"
fi

rm -rf "$folder/tree"
mkdir "$folder/tree"
cp -r src tests benchmarks tools pyproject.toml "$folder/tree"
rm -f "$folder/tree/$kernels"/*.so
"$python" setup.py -q build_ext --inplace # writes the C files
for source in build/cython/$kernels/*.c; do
    echo "$source" "$folder/tree/$kernels/$(basename "$source" .c).cpython-311-aarch64-linux-gnu.so"
done | xargs -P "$(nproc)" -n 2 sh -c "aarch64-linux-gnu-gcc -O3 -g0 -ffp-contract=off -shared -fPIC -w \
    -I '$folder/root/usr/include/python3.11' -I '$folder/root/usr/include' -I $kernels \"\$0\" -o \"\$1\""

cd "$folder/tree"
export PYTHONDONTWRITEBYTECODE=1
arm() {
    PYTHONPATH=$folder/site:$PWD/src qemu-aarch64-static -cpu max -L "$folder/root" "$folder/root/usr/bin/python3.11" "$@"
}
arm -c 'import platform; from vericap import kernels; print(platform.machine(), kernels.WAYS, kernels.compiled())'
arm -m pytest -q -p no:cacheprovider "${tests[@]}"
demo=src/vericap/data/demo
score=(-m vericap score $demo/strong.json -r $demo/references.json -m spice --workers 1 --json)
arm "${score[@]}" arm.json > /dev/null
(cd ../../.. && PYTHONPATH=src "$python" "${score[@]}" "$folder/tree/here.json" > /dev/null)
cmp arm.json here.json && echo "spice of the demo: the same bits as on $(uname -m)"
