#!/bin/sh
# front.sh: run nginx in front of OPA, with nginx.conf beside this file. It looks for other tokens and certificates every
# ten seconds, and has nginx take them up. Whom it knows:
#
#   WARDEN_OPA_QUERY_TOKEN, _REPLICATOR_, _POLICIES_, _ADMIN_   OPA's own tokens, as parts of Warden; unset ones are nobody's
#   WARDEN_FRONT_PARTS      directory with a token in each file: further parts of Warden, such as scans with tokens of their own
#   WARDEN_FRONT_CALLERS    directory with a token in each file: callers of the settings, with small limits
#   WARDEN_FRONT_JWT        "yes" where the settings name issuers: JWTs go on to OPA, with the smallest limits
#
# and where:
#
#   WARDEN_FRONT_LISTEN     such as 0.0.0.0:8181 (127.0.0.1:8182 where it is not set)
#   WARDEN_FRONT_OPA        such as https://127.0.0.1:8181 (http://127.0.0.1:8181)
#   WARDEN_FRONT_TLS        directory with tls.crt and tls.key; without it the front speaks HTTP
#   WARDEN_FRONT_CLIENT_CA  file of certificates: callers need one that these have signed, besides their token
#   WARDEN_FRONT_DIRECTORY  where it writes, as its user alone (/tmp/front)
#   WARDEN_FRONT_NGINX      the program (nginx)
set -eu
umask 077
here=$(cd "$(dirname "$0")" && pwd)
run=${WARDEN_FRONT_DIRECTORY:-/tmp/front}
tls=${WARDEN_FRONT_TLS:-}
opa=${WARDEN_FRONT_OPA:-http://127.0.0.1:8181}

fail() {
  echo "front.sh: $1" >&2
  exit 2
}

line() { # TOKEN KIND NAME
  case $1 in
    *[!A-Za-z0-9._~+/=-]*) fail "the token of $3 has characters that no bearer token has: write another" ;;
  esac
  [ -z "$1" ] || printf '"Bearer %s" %s;\n' "$1" "$2"
}

files() { # DIRECTORY KIND
  for file in "$1"/*; do
    [ ! -f "$file" ] || line "$(tr -d '\r\n' < "$file")" "$2" "$file"
  done
}

known() { # each token once: of a token that is a part's and a caller's, the first line counts
  {
    line "${WARDEN_OPA_QUERY_TOKEN:-}" part WARDEN_OPA_QUERY_TOKEN
    line "${WARDEN_OPA_REPLICATOR_TOKEN:-}" part WARDEN_OPA_REPLICATOR_TOKEN
    line "${WARDEN_OPA_POLICIES_TOKEN:-}" part WARDEN_OPA_POLICIES_TOKEN
    line "${WARDEN_OPA_ADMIN_TOKEN:-}" part WARDEN_OPA_ADMIN_TOKEN
    [ -z "${WARDEN_FRONT_PARTS:-}" ] || files "$WARDEN_FRONT_PARTS" part
    [ -z "${WARDEN_FRONT_CALLERS:-}" ] || files "$WARDEN_FRONT_CALLERS" caller
  } > "$run/lines.new" || return 1
  awk '!seen[tolower($2)]++' "$run/lines.new" # nginx looks them up without regard to case
  [ -z "$tls" ] || cat "$tls/tls.crt" "$tls/tls.key" ${WARDEN_FRONT_CLIENT_CA:-} | cksum | sed 's/^/# certificates /'
}

mkdir -p "$run"
cp "$here/nginx.conf" "$run/nginx.conf"
case $opa in
  http://*) scheme=http ;;
  https://*) scheme=https ;;
  *) fail "WARDEN_FRONT_OPA is $opa: give an address like http://127.0.0.1:8181" ;;
esac
echo "server ${opa#*://};" > "$run/opa.conf"
{
  echo "listen ${WARDEN_FRONT_LISTEN:-127.0.0.1:8182}${tls:+ ssl};"
  echo "set \$warden_scheme $scheme;"
  if [ -n "$tls" ]; then
    echo "ssl_certificate $tls/tls.crt; ssl_certificate_key $tls/tls.key; ssl_protocols TLSv1.2 TLSv1.3;"
    [ -z "${WARDEN_FRONT_CLIENT_CA:-}" ] || echo "ssl_client_certificate $WARDEN_FRONT_CLIENT_CA; ssl_verify_client on;"
  elif [ -n "${WARDEN_FRONT_CLIENT_CA:-}" ]; then
    fail "WARDEN_FRONT_CLIENT_CA is set and WARDEN_FRONT_TLS is not: certificates of callers need TLS"
  fi
} > "$run/listen.conf"
if [ "${WARDEN_FRONT_JWT:-}" = yes ]; then
  echo '"~^Bearer [A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$" jwt;'
fi > "$run/jwt.map"
known > "$run/tokens.map"

"${WARDEN_FRONT_NGINX:-nginx}" -p "$run" -e stderr -c "$run/nginx.conf" &
nginx=$!
trap 'kill -QUIT "$nginx" 2> /dev/null; wait "$nginx"; exit 0' TERM INT
while kill -0 "$nginx" 2> /dev/null; do
  sleep "${WARDEN_FRONT_POLL_SECONDS:-10}" &
  wait $! || true
  if (known) > "$run/tokens.new" && ! cmp -s "$run/tokens.new" "$run/tokens.map"; then
    mv "$run/tokens.new" "$run/tokens.map"
    kill -HUP "$nginx" || true
  fi
done
wait "$nginx"
