#!/bin/sh
# Stands in for systemctl where systemd does not run: one unit, of Type=simple with Restart=always and KillMode=process.
set -eu
unit=/etc/systemd/system/gantry-agent.service
run=/run/stand-in
log=/var/log/gantry-agent.log
mkdir -p "$run"

value() { sed -n "s/^$1=//p" "$unit"; }
# The supervisor may remove its file at any moment.
is_active() { pid=$(cat "$run/supervisor" 2> /dev/null) && kill -0 "$pid" 2> /dev/null; }

supervise() {
  while [ ! -f "$run/stop" ]; do
    # shellcheck disable=SC2046 # the words of the command
    setpriv --reuid="$(value User)" --regid="$(value User)" --init-groups \
      env -i PATH=/usr/bin:/bin LANG=C.UTF-8 $(value ExecStart) >> "$log" 2>&1 < /dev/null &
    echo $! > "$run/main"
    wait $! || true
    [ -f "$run/stop" ] || sleep 0.2
  done
  rm -f "$run/supervisor"
}

start() {
  if is_active; then return 0; fi
  [ -f "$unit" ] || {
    echo "Failed to start gantry-agent.service: Unit gantry-agent.service not found." >&2
    exit 5
  }
  rm -f "$run/stop"
  setsid "$0" --supervise > /dev/null 2>&1 < /dev/null &
  echo $! > "$run/supervisor"
}

stop() {
  is_active || return 0
  : > "$run/stop"
  kill -TERM "$(cat "$run/main")" 2> /dev/null || true
  while is_active; do sleep 0.1; done
}

case $1 in
  --supervise) supervise ;;
  daemon-reload) : ;;
  enable) case ${2:-} in --now) start ;; esac ;;
  disable) case ${2:-} in --now) stop ;; esac ;;
  start) start ;;
  stop) stop ;;
  restart)
    stop
    start
    ;;
  is-active) is_active ;;
  *)
    echo "systemctl stand-in: unknown command $1" >&2
    exit 1
    ;;
esac
