#!/bin/sh
# kubeconfigs.sh DIRECTORY CA.crt CA.key SERVER: make there a kubeconfig for each part, NAME.kubeconfig, with a client
# certificate of the user warden-NAME for a year, signed by the authority whose clients karmada-apiserver takes.
# SERVER is its address as pods of the host cluster reach it.
set -eu
[ $# -eq 4 ] || { echo "kubeconfigs.sh: give a directory, the authority's certificate and key, and the server" >&2; exit 2; }
umask 077
mkdir -p "$1"

for name in replicator webhook remediator; do
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=warden-$name" \
    -keyout "$1/client.key" -out "$1/client.csr" 2> /dev/null
  printf 'extendedKeyUsage=clientAuth\n' > "$1/client.ext"
  openssl x509 -req -in "$1/client.csr" -CA "$2" -CAkey "$3" -set_serial "0x$(openssl rand -hex 8)" -days 365 \
    -extfile "$1/client.ext" -out "$1/client.crt" 2> /dev/null
  cat > "$1/$name.kubeconfig" <<EOF
apiVersion: v1
kind: Config
clusters:
  - name: karmada-apiserver
    cluster: {server: "$4", certificate-authority-data: $(openssl base64 -A -in "$2")}
users:
  - name: warden-$name
    user:
      client-certificate-data: $(openssl base64 -A -in "$1/client.crt")
      client-key-data: $(openssl base64 -A -in "$1/client.key")
contexts:
  - name: karmada-apiserver
    context: {cluster: karmada-apiserver, user: warden-$name}
current-context: karmada-apiserver
EOF
  rm "$1/client.key" "$1/client.csr" "$1/client.crt" "$1/client.ext"
done
