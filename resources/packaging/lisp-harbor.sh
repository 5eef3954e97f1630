#!/bin/sh
# `lisp-harbor` of an installed app: commands and the bridge for MCP clients run in Electron's own Node, which starts in a
# tenth of a second and needs no display; everything else is the window, or without a display the harbor alone.
here=$(dirname -- "$(readlink -f -- "$0")")
app=$(dirname -- "$here")
entries=$app/resources/app.asar/out/electron

node() {
  entry=$1
  shift
  export ELECTRON_RUN_AS_NODE=1
  exec "$app/lisp-harbor" "$entries/$entry" "$@"
}

case ${1-} in
  serve) shift; node serve.js "$@" ;;
  stdio | --mcp-stdio) shift; node stdio.js "$@" ;;
  fix) node fix.js "$@" ;;
  --version) node command-line.js "$@" ;;
  '' | -* | lisp-harbor://*) ;;
  *) node command-line.js "$@" ;;
esac

for word in "$@"; do
  case $word in
    --help | -h) node command-line.js --help ;;
    --issue-token) node serve.js "$@" ;;
  esac
done
if [ -z "${DISPLAY-}" ] && [ -z "${WAYLAND_DISPLAY-}" ]; then
  echo 'lisp-harbor: no display, so no window: serving headless.' >&2
  node serve.js "$@"
fi
unset ELECTRON_RUN_AS_NODE
# Electron refuses --debug, which was an option of Node.
for word in "$@"; do
  shift
  if [ "$word" = --debug ]; then export MCP_DEBUG=true; else set -- "$@" "$word"; fi
done
# Of Chromium's own messages only the reason of a crash is about Lisp Harbor.
switches=--log-level=3
if [ "$(id -u)" = 0 ]; then
  echo "lisp-harbor: running as root, which Chromium's own sandbox refuses: starting it with its switch --no-sandbox." >&2
  switches="$switches --no-sandbox"
fi
# Without OpenGL Chromium's GPU process fails and prints that. The process that remains may end with the group of a
# signal, which must not count as a crash of the app.
case $(/sbin/ldconfig -p 2>/dev/null) in
  *libGL.so.1*) ;;
  *libc.so.6*) switches="$switches --disable-gpu --disable-gpu-process-crash-limit" ;;
esac

"$app/lisp-harbor" $switches "$@" &
window=$!
for signal in TERM INT HUP; do
  trap "stopped=yes; kill -$signal $window 2>/dev/null" $signal
done
# A signal to this shell ends `wait` before the window has ended.
while kill -0 $window 2>/dev/null; do
  wait $window
  code=$?
done
trap - TERM INT HUP
case ${stopped-}${code-0} in
  # TRAP, ILL, ABRT, BUS, SEGV: Electron crashed.
  132 | 133 | 134 | 135 | 139)
    echo "lisp-harbor: Electron crashed (signal $((code - 128))): serving without a window." >&2
    node serve.js "$@"
    ;;
esac
exit "${code-0}"
