#!/usr/bin/env bash
# What the scripts of this folder share: saying things, knowing processes, finding ports. Sourced, never run.
# shellcheck disable=SC2034  # the scripts that source this file use the variables

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
here=$root/deploy/local
bin=$root/.local/bin

say() { printf '%s\n' "$*"; }
die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# folder DIR makes a folder for what a run leaves behind and says plainly why that may be impossible.
folder() {
  mkdir -p "$1" 2>/dev/null && [ -w "$1" ] ||
    die "$1 cannot be written by $(id -un): make the project folder yours, or remove .local if another user made it."
}

# own_folder DIR makes a folder that nobody else may look into.
own_folder() {
  folder "$1"
  chmod 700 "$1"
}

# alive PID: a zombie that a lazy init has not reaped yet still answers kill -0, but it is gone.
alive() { kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"; }

# command_of PID prints the command line, words parted by blanks.
command_of() {
  if [ -r "/proc/$1/cmdline" ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -o args= -p "$1" 2>/dev/null; fi
}

# remember FILE PID MARK writes a pid file. MARK is a text that the command line holds, or cwd:FOLDER for a program that
# rewrites its command line. Pids are used again, so a pid alone never is a reason to end a process.
remember() {
  printf '%s\n%s\n' "$2" "$3" >"$1.new"
  mv -f "$1.new" "$1"
}

# named FILE: the process that the pid file names lives and is the one that was meant; its pid is left in $pid.
named() {
  local mark
  pid=
  [ -s "$1" ] || return 1
  { read -r pid && read -r mark; } <"$1" || return 1
  case $pid in '' | *[!0-9]*) return 1 ;; esac
  alive "$pid" || return 1
  case $mark in
  cwd:*) [ "$(readlink "/proc/$pid/cwd")" = "${mark#cwd:}" ] ;;
  *) [[ "$(command_of "$pid") " == *"$mark"* ]] ;;
  esac
}

# finish FILE [SECONDS] ends the process that the pid file names, with its process group where it leads one: politely
# first, by force after SECONDS (20). Nothing to end is success.
finish() {
  local i end=$((${2:-20} * 20))
  if named "$1"; then
    kill -TERM -- "-$pid" 2>/dev/null || kill -TERM "$pid" 2>/dev/null || true
    for ((i = 0; i < end; i++)); do
      alive "$pid" || break
      sleep 0.05
    done
    if alive "$pid"; then
      kill -KILL -- "-$pid" 2>/dev/null || kill -KILL "$pid" 2>/dev/null || true
      while alive "$pid"; do sleep 0.05; done
    fi
  fi
  rm -f "$1"
}

# port_taken PORT: somebody answers there. The shell's own connection spares a program that a bare machine may lack.
port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_port PORT [AVOID...] prints PORT or the next one that nobody listens on and that is not to be avoided.
free_port() {
  local p avoid=" ${*:2} "
  for ((p = $1; p < 65536; p++)); do
    [[ $avoid != *" $p "* ]] && ! port_taken "$p" || continue
    echo "$p"
    return
  done
  return 1
}

# http_ok URL: GET answers 200. Written in the shell for the same reason.
http_ok() {
  local rest=${1#http://} host path line
  host=${rest%%/*} path=/${rest#*/}
  {
    exec 3<>"/dev/tcp/${host%:*}/${host##*:}" || return 1
  } 2>/dev/null
  printf 'GET %s HTTP/1.0\r\nHost: %s\r\n\r\n' "$path" "$host" >&3
  read -r -t 3 line <&3 || line=
  exec 3<&- 3>&-
  [[ $line == *" 200"* ]]
}

# need_go: everything here is built from source.
need_go() {
  command -v go >/dev/null || die "Go is not installed or not in PATH: install Go 1.26 or newer and start again."
}

# step COMMAND... runs a program in a session of its own and remembers it, so that a signal reaches the calling script at
# once and then the step as a whole, and so that a later start finds it if the calling script is killed. The caller sets
# $state to the folder of its pid files.
step() {
  local file=${state:?}/pid/step rc=0
  setsid "$@" &
  remember "$file" $! "$1"
  wait $! || rc=$?
  rm -f "$file"
  return $rc
}

# made_by_make: a script that make has started ends when make is gone, since nobody is left to stop it.
maker=
made_by_make() { [ "$(cat "/proc/$PPID/comm" 2>/dev/null)" != make ] || maker=$PPID; }
orphaned() { [ -n "$maker" ] && ! alive "$maker"; }

# hear_signals "$0" "$@": a shell that was started in the background of a script ignores Ctrl-C and cannot take it back;
# the program env can, where it is new enough.
hear_signals() {
  local ignored
  ignored=$(sed -n 's/^SigIgn:[[:space:]]*//p' "/proc/$$/status" 2>/dev/null) || return 0
  [ -n "$ignored" ] && (((0x${ignored: -2} & 2) != 0)) || return 0
  [ -z "${SHOP_SIGNALS:-}" ] && env --default-signal=INT true 2>/dev/null || return 0
  SHOP_SIGNALS=heard exec env --default-signal=INT,QUIT bash "$@"
}
