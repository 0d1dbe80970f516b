#!/bin/sh
# Traces of eciscope in Wireshark's list of interfaces: a file of any kind that eciscope reads is replayed as messages.
# Wireshark calls this by the rules of its manual page extcap(4).
set -eu

program=${ECISCOPE:-eciscope}
action=
fifo=
file=

value_of() { # --option=value, or --option and the value behind it
  case "$1" in
    *=*) printf '%s' "${1#*=}" ;;
    *) printf '%s' "${2-}" ;;
  esac
}

while [ $# -gt 0 ]; do
  case "$1" in
    --extcap-interfaces) action=interfaces ;;
    --extcap-dlts) action=dlts ;;
    --extcap-config) action=config ;;
    --capture) action=capture ;;
    --fifo | --fifo=*) fifo=$(value_of "$@") ;;
    --file | --file=*) file=$(value_of "$@") ;;
  esac
  shift
done

case "$action" in
  interfaces)
    printf 'extcap {version=1.0}{display=eciscope}\n'
    printf 'interface {value=eci-file}{display=ECI: file}\n'
    ;;
  dlts)
    printf 'dlt {number=148}{name=USER1}{display=ECI messages}\n'
    ;;
  config)
    printf 'arg {number=0}{call=--file}{display=Trace}{type=fileselect}{mustexist=true}{required=true}'
    printf '{tooltip=A capture, EWF, NDJSON or JSON}\n'
    ;;
  capture)
    if [ -z "$fifo" ] || [ -z "$file" ]; then
      echo "eciscope: the trace to replay is not said; choose it in the interface's options" >&2
      exit 1
    fi
    exec "$program" decode --quiet --to pcapng -o "$fifo" -- "$file"
    ;;
  *)
    echo "usage: called by Wireshark; see extcap(4)" >&2
    exit 1
    ;;
esac
