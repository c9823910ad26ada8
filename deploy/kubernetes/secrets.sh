#!/bin/sh
# secrets.sh DIRECTORY: make there what no manifest can hold: OPA's tokens, a certificate authority, and certificates of
# OPA, the replicators, the webhook, the gateway and the service for a year. Run again it makes new certificates and keeps
# the rest.
set -eu
[ $# -eq 1 ] || { echo "secrets.sh: name the directory, such as example/secrets" >&2; exit 2; }
umask 077
mkdir -p "$1"
cd "$1"

for token in query replicator policies admin; do
  [ -s "$token" ] || openssl rand -hex 32 | tr -d '\n' > "$token"
done

curve="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
[ -s ca.key ] || openssl req -x509 $curve -days 3650 -subj /CN=warden -keyout ca.key -out ca.crt 2> /dev/null

certificate() { # NAME SUBJECT-ALTERNATIVE-NAMES
  openssl req -new $curve -subj "/CN=$1" -keyout "$1.new" -out "$1.csr" 2> /dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$2" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -set_serial "0x$(openssl rand -hex 8)" -days 365 \
    -extfile "$1.ext" -out "$1.crt" 2> /dev/null
  mv "$1.new" "$1.key"
  rm "$1.csr" "$1.ext"
}
certificate opa "DNS:opa.warden.svc,DNS:*.opas.warden.svc,DNS:localhost"
certificate replicator "DNS:*.replicator.warden.svc,DNS:localhost"
for name in webhook gateway serve; do certificate "$name" "DNS:$name.warden.svc"; done
