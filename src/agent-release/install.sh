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
# The shell reads up to the closing brace before it runs anything, so that a download that was cut off installs nothing.
{

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

# Prints the pids of the processes that run an executable of this installation, or its launcher.
own_processes() {
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe" 2> /dev/null) in
      "$program"/bin/*) printf '%s\n' "${process#/proc/}" ;;
      # A process may end meanwhile, which the shell reports unless its errors are discarded before the redirection.
      *) if { tr '\0' '\n' < "$process/cmdline"; } 2> /dev/null | grep -qFx "$program/launch"; then printf '%s\n' "${process#/proc/}"; fi ;;
    esac
  done
}

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
  # Without systemd the agent is stopped here. Its game servers are processes of their own and run on.
  passed=0
  while running=$(own_processes) && [ -n "$running" ] && [ "$passed" -lt 15 ]; do
    # shellcheck disable=SC2086 # one word for each process
    kill -TERM $running 2> /dev/null || true
    sleep 1
    passed=$((passed + 1))
  done
  # shellcheck disable=SC2086
  [ -z "$running" ] || kill -KILL $running 2> /dev/null || true
  rm -rf "$program" "$staging"
  say "the agent is removed; the user $user, $state (with backups), $settings and your game servers are left as they are"
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
  download() { curl -fsSL --retry 3 --connect-timeout 20 --speed-limit 1 --speed-time 60 -o "$2" "$1"; }
elif command -v wget > /dev/null 2>&1; then
  download() { wget -q --tries=3 --timeout=60 -O "$2" "$1"; }
else
  fail 'this needs curl or wget; install one of them'
fi
command -v sha256sum > /dev/null 2>&1 || fail 'this needs sha256sum, which is part of coreutils'
mv --help 2>&1 | grep -q -e '-T' || fail 'this needs mv with the option -T, which is part of coreutils'

if [ -f "$unit" ] && ! grep -q "$mark" "$unit"; then
  fail "an agent is already set up in $unit by other means; remove it first, a second one would start every server twice"
fi
# An agent from a clone or from npm is a Node with the agent's main file among its arguments.
for process in /proc/[0-9]*; do
  executable=$(readlink "$process/exe" 2> /dev/null) || continue
  case ${executable##*/} in
    gantry-agent-*) case $executable in "$program"/*) continue ;; esac ;;
    node)
      { tr '\0' '\n' < "$process/cmdline"; } 2> /dev/null | grep -qE '(^|/)(agent/src/main\.[jt]s|gantry-agent)$' || continue
      ;;
    *) continue ;;
  esac
  fail "an agent already runs with pid ${process#/proc/}; stop it first, a second one would start every server twice"
done
is_enrolled=
if [ -f "$state/enrolment.json" ]; then
  is_enrolled=yes
  enrolled_at=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$state/enrolment.json")
  configured=$(sed -n 's/^url:[[:space:]]*//p' "$settings/gantry-agent.yaml" 2> /dev/null | tr -d "\"' ") || configured=
  if [ "$enrolled_at" != "$platform_url" ] && [ "$configured" != "$platform_url" ]; then
    fail "this host is enrolled at $enrolled_at: if that is another name of $platform_url, write it as url into $settings/gantry-agent.yaml; to move the host, run install.sh --uninstall and remove $state/enrolment.json and $settings/gantry-agent.yaml"
  fi
fi
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
interrupted='interrupted; nothing was installed'
trap 'fail "$interrupted"' INT TERM HUP
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
refuse_unless_runnable() {
  "$agent" --version > /dev/null 2>&1 ||
    fail 'the executable does not run here: it needs glibc 2.28 or newer, and /opt must not be mounted with noexec'
}
printf '%s\n' "$release_key" > "$staging/release-key.pem"
base64 -d "$staging/release.json.sig" > "$staging/signature" 2> /dev/null || fail 'the signature of the release is unreadable'
if command -v openssl > /dev/null 2>&1 && openssl list -public-key-algorithms 2> /dev/null | grep -qi ed25519; then
  openssl pkeyutl -verify -pubin -inkey "$staging/release-key.pem" -rawin -in "$staging/release.json" \
    -sigfile "$staging/signature" > /dev/null 2>&1 || fail 'the signature of the release is wrong; nothing was installed'
else
  refuse_unless_runnable
  "$agent" verify-release "$staging" > /dev/null 2>&1 || fail 'the signature of the release is wrong; nothing was installed'
fi
grep -q "$sha256" "$staging/release.json" ||
  fail 'the signed list of the release does not name the executable; nothing was installed'
refuse_unless_runnable

if ! id "$user" > /dev/null 2>&1; then
  useradd --system --home-dir "$state" --no-create-home --shell /usr/sbin/nologin "$user" ||
    fail "the user $user cannot be created"
  new_user=yes
fi
if [ ! -d "$state" ]; then
  mkdir -m 700 "$state" || fail "$state cannot be created"
  new_state=yes
fi
# Not in a directory that this user has: a hard link that this user has made would give away the file of another.
if [ "$(stat -c %U "$state")" != "$user" ]; then chown -R "$user:" "$state"; fi
# The agent trusts the authorities that curl and wget trust here.
NODE_USE_SYSTEM_CA=1
export NODE_USE_SYSTEM_CA
if [ -n "$code" ]; then
  # As the user whose directory it is: root must not follow a link that this user has made.
  printf '%s' "$code" | su -s /bin/sh -c 'exec "$@"' -- "$user" \
    sh "$agent" enroll --url "$platform_url" --state "$state" ${hostname:+--hostname "$hostname"} ||
    fail 'the host is not enrolled; nothing was installed'
else
  say 'this host is enrolled already'
fi
# From here on the platform knows this host by the key in the state directory.
new_state=
new_user=
interrupted='interrupted before the end; run the same line again'

# Each file gets its name when it is complete, so that a full disk or a power loss leaves the former one.
put() {
  if reason=$(install -m "$1" -o root -g "${4:-root}" "$2" "$3.new" 2>&1) && reason=$(mv -fT "$3.new" "$3" 2>&1); then return 0; fi
  rm -f "$3.new"
  fail "$3 cannot be written (${reason##*: }); the host is enrolled, so mend that and run the same line again"
}
cat > "$staging/launch" << 'LAUNCH'
@LAUNCHER@
LAUNCH
mkdir -p "$program/bin" "$settings" || fail "$program and $settings cannot be made; the host is enrolled, so run the same line again"
put 755 "$staging/launch" "$program/launch"
put 644 "$staging/release-key.pem" "$program/release-key.pem"
executable=gantry-agent-$version-$(printf '%.8s' "$sha256")
# bin belongs to the agent's user, and root must not follow a link that this user has made: what root puts there is
# complete beforehand, and -T replaces a link to a directory instead of moving into that directory.
printf '%s\n' "$executable" > "$staging/current"
chown "$user:" "$agent" "$staging/current" "$program/bin"
put_in_bin() {
  if [ -d "$program/bin/$2" ] && [ ! -L "$program/bin/$2" ]; then rm -rf "${program:?}/bin/$2"; fi
  reason=$(mv -fT "$1" "$program/bin/$2" 2>&1) ||
    fail "$program/bin/$2 cannot be written (${reason##*: }); the host is enrolled, so mend that and run the same line again"
}
put_in_bin "$agent" "$executable"
rm -rf "$program/bin/trial" "$program/bin/trial.started" "$program/bin/trial.expired"
sync
put_in_bin "$staging/current" current
for old in "$program/bin"/gantry-agent-*; do
  [ "$old" = "$program/bin/$executable" ] || rm -rf "$old"
done
if [ ! -f "$settings/gantry-agent.yaml" ]; then
  printf '%s\n' '# Settings of the Gantry agent; each key is explained in agent/README.md of Gantry.' \
    "url: '$(printf '%s' "$platform_url" | sed "s/'/''/g")'" "state_dir: $state" 'instances: []' > "$staging/settings"
  put 640 "$staging/settings" "$settings/gantry-agent.yaml" "$user"
fi

if ! has_systemd; then
  running=$(own_processes | head -n 1)
  if [ -n "$running" ]; then say "installed; the former agent runs on with pid $running: kill $running, then start the new one"; fi
  say "installed; this system has no systemd, so start it yourself: su -s /bin/sh -c $program/launch $user"
  exit 0
fi
cat > "$staging/unit" << UNIT
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
put 644 "$staging/unit" "$unit"
systemctl daemon-reload
systemctl enable gantry-agent.service > /dev/null 2>&1
systemctl restart gantry-agent.service || fail 'the agent was installed but does not start: journalctl -u gantry-agent'
say 'the agent runs; its log: journalctl -u gantry-agent -f'
say "describe your game servers in $settings/gantry-agent.yaml, then: systemctl restart gantry-agent"
}
