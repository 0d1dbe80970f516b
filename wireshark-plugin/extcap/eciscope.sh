#!/bin/sh
# Traces of eciscope in Wireshark's list of interfaces: a file of any kind that eciscope reads, replayed as messages, and
# the interposer itself, live. Wireshark calls this by the rules of its manual page extcap(4).
set -eu

program=${ECISCOPE:-eciscope}
action=
interface=eci-file
fifo=
file=
nic=
buffer=256
immediate=

value_of() { # --option=value, or --option and the value behind it
  case "$1" in
    *=*) printf '%s' "${1#*=}" ;;
    *) printf '%s' "${2-}" ;;
  esac
}

fail() {
  echo "eciscope: $1" >&2
  exit 1
}

live_config() {
  printf 'arg {number=0}{call=--nic}{display=Network interface}{type=selector}{required=true}'
  printf '{tooltip=Where the datagrams of the interposer come in; it takes frames of 9000 bytes}\n'
  for path in /sys/class/net/*; do
    name=${path##*/}
    if [ -d "$path" ]; then
      printf 'value {arg=0}{value=%s}{display=%s}{default=false}\n' "$name" "$name"
    fi
  done
  printf 'arg {number=1}{call=--kernel-buffer}{display=Kernel buffer in MiB}{type=unsigned}{range=1,2047}{default=256}'
  printf '{tooltip=Memory for frames that wait}\n'
  printf 'arg {number=2}{call=--immediate}{display=Each frame at once, not in batches of 50 ms}{type=boolflag}{default=false}\n'
}

while [ $# -gt 0 ]; do
  case "$1" in
    --extcap-interfaces) action=interfaces ;;
    --extcap-dlts) action=dlts ;;
    --extcap-config) action=config ;;
    --capture) action=capture ;;
    --extcap-interface | --extcap-interface=*) interface=$(value_of "$@") ;;
    --fifo | --fifo=*) fifo=$(value_of "$@") ;;
    --file | --file=*) file=$(value_of "$@") ;;
    --nic | --nic=*) nic=$(value_of "$@") ;;
    --kernel-buffer | --kernel-buffer=*) buffer=$(value_of "$@") ;;
    --immediate | --immediate=true) immediate=--immediate ;;
  esac
  shift
done

case "$action:$interface" in
  interfaces:*)
    printf 'extcap {version=1.1}{display=eciscope}\n'
    printf 'interface {value=eci-file}{display=ECI: file}\n'
    printf 'interface {value=eci-live}{display=ECI: live interposer}\n'
    ;;
  dlts:eci-live)
    printf 'dlt {number=1}{name=EN10MB}{display=Datagrams of the interposer}\n'
    ;;
  dlts:*)
    printf 'dlt {number=148}{name=USER1}{display=ECI messages}\n'
    ;;
  config:eci-live)
    live_config
    ;;
  config:*)
    printf 'arg {number=0}{call=--file}{display=Trace}{type=fileselect}{mustexist=true}{required=true}'
    printf '{tooltip=A capture, EWF, NDJSON or JSON}\n'
    ;;
  capture:eci-live)
    if [ -z "$fifo" ] || [ -z "$nic" ]; then
      fail "the network interface to capture on is not said; choose it in the options of ECI: live interposer"
    fi
    # shellcheck disable=SC2086 # no word at all where the option is off
    exec "$program" capture --quiet -i "$nic" -o "$fifo" --buffer "${buffer}M" $immediate
    ;;
  capture:*)
    if [ -z "$fifo" ] || [ -z "$file" ]; then
      fail "the trace to replay is not said; choose it in the interface's options"
    fi
    exec "$program" decode --quiet --to pcapng -o "$fifo" -- "$file"
    ;;
  *)
    echo "usage: called by Wireshark; see extcap(4)" >&2
    exit 1
    ;;
esac
