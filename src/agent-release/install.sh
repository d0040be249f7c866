#!/bin/sh
# Installs the Gantry agent on Linux:      curl -fsSL PLATFORM/install.sh | sh -s -- CODE
# Removes it, and no game data:            curl -fsSL PLATFORM/install.sh | sh -s -- --uninstall
#
# What is verified before anything is installed: the executable has the SHA-256 that is written below, and the list of
# the release is signed with the key below (Ed25519, checked by openssl, or by the executable once its SHA-256 matched).
# Both came with this script, so the script's own connection, HTTPS, is what you trust. Needs curl or wget, and root.
#
# It makes: /opt/gantry-agent (program), /etc/gantry-agent (settings), /var/lib/gantry-agent (state), the user
# gantry-agent, and the systemd unit gantry-agent.service.
set -eu
umask 022

platform_url=@PUBLIC_URL@
version=@VERSION@
release_key=@RELEASE_KEY@
files=@FILES@

program=/opt/gantry-agent
settings=/etc/gantry-agent
state=/var/lib/gantry-agent
unit=/etc/systemd/system/gantry-agent.service
user=gantry-agent
mark='# Installed by Gantry install.sh'
staging=/opt/.gantry-agent.new

say() { printf '%s\n' "gantry: $*"; }
fail() {
  printf '%s\n' "gantry: $*" >&2
  exit 1
}

usage='usage: install.sh CODE [--hostname NAME], or install.sh --uninstall'
code=
hostname=
uninstall=
while [ $# -gt 0 ]; do
  case $1 in
    --uninstall) uninstall=yes ;;
    --hostname)
      [ $# -ge 2 ] || fail "$usage"
      hostname=$2
      shift
      ;;
    -*) fail "unknown option $1; $usage" ;;
    *) code=$1 ;;
  esac
  shift
done

[ "$(id -u)" -eq 0 ] || fail 'this needs root: run the same line with "| sudo sh -s -- …" or as root'
[ "$(uname -s)" = Linux ] || fail "this script is for Linux; for Windows use $platform_url/install.ps1"

has_systemd() { command -v systemctl > /dev/null 2>&1 && [ -d /run/systemd/system ]; }

if [ -n "$uninstall" ]; then
  if [ -f "$unit" ] && ! grep -q "$mark" "$unit"; then
    fail "$unit was not installed by this script, so it is left alone"
  fi
  if has_systemd && [ -f "$unit" ]; then
    systemctl disable --now gantry-agent.service > /dev/null 2>&1 || true
  fi
  rm -f "$unit"
  if has_systemd; then systemctl daemon-reload || true; fi
  rm -rf "$program" "$staging"
  say "the agent is removed; $state (with backups), $settings and your game servers are left as they are"
  exit 0
fi

case $(uname -m) in
  x86_64 | amd64) platform=linux-x64 ;;
  aarch64 | arm64) platform=linux-arm64 ;;
  *) fail "there is no agent for the processor $(uname -m); it runs on x86_64 and aarch64" ;;
esac
line=$(printf '%s\n' "$files" | grep "^$platform ") || fail "this platform has no agent for $platform"
# shellcheck disable=SC2086 # the line is four words
set -- $line
file=$2 size=$3 sha256=$4

if command -v curl > /dev/null 2>&1; then
  download() { curl -fsSL --retry 3 --connect-timeout 20 -o "$2" "$1"; }
elif command -v wget > /dev/null 2>&1; then
  download() { wget -q --tries=3 --connect-timeout=20 -O "$2" "$1"; }
else
  fail 'this needs curl or wget; install one of them'
fi
command -v sha256sum > /dev/null 2>&1 || fail 'this needs sha256sum, which is part of coreutils'

if [ -f "$unit" ] && ! grep -q "$mark" "$unit"; then
  fail "an agent is already set up in $unit by other means; remove it first, a second one would start every server twice"
fi
for process in /proc/[0-9]*; do
  [ -r "$process/cmdline" ] || continue
  words=$(tr '\0' ' ' < "$process/cmdline" 2> /dev/null) || continue
  case $words in
    "$program"/*) ;;
    *gantry-agent-linux* | *agent/src/main.ts*)
      fail "an agent already runs with pid ${process#/proc/}; stop it first, a second one would start every server twice"
      ;;
  esac
done
is_enrolled=
if [ -f "$state/enrolment.json" ]; then is_enrolled=yes; fi
[ -n "$is_enrolled$code" ] || fail "$usage; a code is made under \"Add a host\" of the panel"

# Everything until the last step happens in a directory of its own, so that a failure leaves the host unchanged.
new_user=
new_state=
finish() {
  status=$?
  trap - EXIT
  rm -rf "$staging"
  if [ "$status" -ne 0 ]; then
    if [ -n "$new_state" ]; then rm -rf "$state"; fi
    if [ -n "$new_user" ]; then userdel "$user" > /dev/null 2>&1 || true; fi
  fi
  exit "$status"
}
trap finish EXIT
trap 'fail "interrupted; nothing was installed"' INT TERM HUP
if [ -f "$staging/pid" ] && kill -0 "$(cat "$staging/pid")" 2> /dev/null; then
  trap - EXIT
  fail 'another install.sh is at work on this host'
fi
rm -rf "$staging"
mkdir -p "$staging" || fail "/opt cannot be written to"
printf '%s\n' $$ > "$staging/pid" || fail 'the disk of /opt is full'

free_kib=$(df -Pk /opt | awk 'NR == 2 { print $4 }')
needed_kib=$((size / 1024 + 65536))
[ "$free_kib" -ge "$needed_kib" ] || fail "/opt has $((free_kib / 1024)) MiB free; the agent needs $((needed_kib / 1024)) MiB"

base=$platform_url/downloads/agent
say "downloading the agent $version for $platform from $base"
for name in "$file" release.json release.json.sig; do
  download "$base/$name" "$staging/$name" ||
    fail "$base/$name could not be downloaded; is a proxy in between, or the disk full?"
done
agent=$staging/$file
found=$(sha256sum "$agent" | cut -d ' ' -f 1)
[ "$found" = "$sha256" ] ||
  fail "$base/$file is not what this script expects (SHA-256 $found instead of $sha256): a proxy changed it, or there is a newer release; run the line again"
chmod 755 "$agent"
printf '%s\n' "$release_key" > "$staging/release-key.pem"
base64 -d "$staging/release.json.sig" > "$staging/signature" 2> /dev/null || fail 'the signature of the release is unreadable'
if command -v openssl > /dev/null 2>&1 && openssl list -public-key-algorithms 2> /dev/null | grep -qi ed25519; then
  openssl pkeyutl -verify -pubin -inkey "$staging/release-key.pem" -rawin -in "$staging/release.json" \
    -sigfile "$staging/signature" > /dev/null 2>&1 || fail 'the signature of the release is wrong; nothing was installed'
else
  "$agent" verify-release "$staging" > /dev/null 2>&1 || fail 'the signature of the release is wrong; nothing was installed'
fi
grep -q "$sha256" "$staging/release.json" ||
  fail 'the signed list of the release does not name the executable; nothing was installed'
"$agent" --version > /dev/null 2>&1 ||
  fail 'the executable does not run here: it needs glibc 2.28 or newer, and /opt must not be mounted with noexec'

if ! id "$user" > /dev/null 2>&1; then
  useradd --system --home-dir "$state" --no-create-home --shell /usr/sbin/nologin "$user" ||
    fail "the user $user cannot be created"
  new_user=yes
fi
if [ ! -d "$state" ]; then
  mkdir -m 700 "$state" || fail "$state cannot be created"
  new_state=yes
fi
if [ -n "$is_enrolled" ]; then
  say 'this host is enrolled already; the code is not needed'
else
  printf '%s' "$code" | "$agent" enroll --url "$platform_url" --state "$state" ${hostname:+--hostname "$hostname"} ||
    fail 'the host is not enrolled; nothing was installed'
  # From here on the platform knows this host by the key in the state directory.
  new_state=
  new_user=
fi
chown -R "$user:" "$state"

cat > "$staging/launch" << 'LAUNCH'
@LAUNCHER@
LAUNCH
mkdir -p "$program/bin" "$settings"
install -m 755 "$staging/launch" "$program/launch"
install -m 644 "$staging/release-key.pem" "$program/release-key.pem"
executable=gantry-agent-$version-$(printf '%.8s' "$sha256")
mv -f "$agent" "$program/bin/$executable"
rm -f "$program/bin/trial" "$program/bin/trial.started" "$program/bin/trial.expired"
# Written outside of bin, which belongs to the agent's user: root must not follow a link that this user has made.
printf '%s\n' "$executable" > "$staging/current"
sync
mv -f "$staging/current" "$program/bin/current"
for old in "$program/bin"/gantry-agent-*; do
  [ "$old" = "$program/bin/$executable" ] || rm -f "$old"
done
chown -R "$user:" "$program/bin"
if [ ! -f "$settings/gantry-agent.yaml" ]; then
  printf '%s\n' '# Settings of the Gantry agent; each key is explained in agent/README.md of Gantry.' \
    "url: '$(printf '%s' "$platform_url" | sed "s/'/''/g")'" "state_dir: $state" 'instances: []' \
    > "$settings/gantry-agent.yaml"
  chown "root:$user" "$settings/gantry-agent.yaml"
  chmod 640 "$settings/gantry-agent.yaml"
fi

if ! has_systemd; then
  say "installed; this system has no systemd, so start it yourself: su -s /bin/sh -c $program/launch $user"
  exit 0
fi
cat > "$unit" << UNIT
$mark
[Unit]
Description=Gantry companion agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=$program/launch
User=$user
StateDirectory=gantry-agent
StateDirectoryMode=0700
Restart=always
RestartSec=2
# Game servers run on while the agent is restarted or updated.
KillMode=process
OOMPolicy=continue
TimeoutStopSec=15
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable gantry-agent.service > /dev/null 2>&1
systemctl restart gantry-agent.service || fail 'the agent was installed but does not start: journalctl -u gantry-agent'
say 'the agent runs; its log: journalctl -u gantry-agent -f'
say "describe your game servers in $settings/gantry-agent.yaml, then: systemctl restart gantry-agent"
