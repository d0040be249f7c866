#!/bin/sh
# Starts the agent that `current` names. While an update is on trial, this script brings the former agent back unless
# the new one has reported to the platform within a minute, also after kill -9 or a power loss at any point.
#
# bin/current         name of the executable to start
# bin/trial           two lines, the former and the new executable; the new agent removes it once it has reported
# bin/trial.started   the new agent has been started once
# bin/trial.expired   the trial has failed; `current` is about to be set back
# bin/restart.wanted  an agent has ended in order to be started again
#
# "launch await PID" starts the agent after that process has ended, unless a supervisor does it first.
set -u
program=${GANTRY_AGENT_INSTALLATION:-/opt/gantry-agent}
trial_seconds=60
bin=$program/bin

former_of() { sed -n 1p "$1"; }

# Every step can be repeated: a power loss between two of them makes the next start finish the rest.
roll_back() {
  former_of "$bin/trial.expired" > "$bin/.current.new"
  sync
  mv -f "$bin/.current.new" "$bin/current"
  rm -f "$bin/trial.started"
  rm -f "$bin/trial.expired"
}

# $$ is the pid of the agent, because exec keeps it. A process that has ended has no executable.
is_running() { [ -n "$(readlink "/proc/$1/exe")" ]; }

# systemd starts the agent again by itself.
start_again() {
  [ -z "${INVOCATION_ID:-}" ] || return 0
  : > "$bin/restart.wanted"
  exec "$program/launch" await $$
}

watch_trial() {
  new=$(sed -n 2p "$bin/trial")
  passed=0
  while [ "$passed" -lt "$trial_seconds" ]; do
    sleep 1
    [ -f "$bin/trial" ] || return 0
    is_running $$ || start_again
    passed=$((passed + 1))
  done
  # The first to rename the file first decides: the agent that has reported, or this watch.
  mv "$bin/trial" "$bin/trial.expired" 2> /dev/null || return 0
  roll_back
  if [ "$(readlink "/proc/$$/exe")" = "$(readlink -f "$bin/$new")" ]; then kill -9 $$; fi
  start_again
}

if [ "${1:-}" = await ]; then
  while is_running "$2"; do sleep 1; done
  sleep 5
  [ -f "$bin/restart.wanted" ] || exit 0
fi
rm -f "$bin/restart.wanted"

if [ -f "$bin/trial" ]; then
  if [ "$(cat "$bin/current")" = "$(sed -n 2p "$bin/trial")" ] && [ ! -f "$bin/trial.started" ]; then
    : > "$bin/trial.started"
    watch_trial < /dev/null &
  else
    mv -f "$bin/trial" "$bin/trial.expired"
  fi
fi
if [ -f "$bin/trial.expired" ]; then roll_back; fi

GANTRY_AGENT_INSTALLATION=$program
NODE_USE_SYSTEM_CA=1
export GANTRY_AGENT_INSTALLATION NODE_USE_SYSTEM_CA
exec "$bin/$(cat "$bin/current")" --config "${GANTRY_AGENT_CONFIG:-/etc/gantry-agent/gantry-agent.yaml}"
