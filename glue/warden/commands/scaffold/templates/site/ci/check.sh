#!/bin/sh
# What CI runs: the form of our rules, their tests, rules and settings together, and the decisions about our files.
set -eu
cd "$(dirname "$0")/.."
opa=$(warden opa path)
"$opa" fmt --fail --list policies
warden test --settings settings.yaml policies
warden bundle build --settings settings.yaml --site policies --output build/bundle.tar.gz
warden check --settings settings.yaml --site policies "$@" topics
