#!/bin/sh
# Writes what the proof of an image needs into a folder: a private authority with a certificate for the host `vendor`, the vendor's key, and a
# first key of the installation. make-secrets.sh adds the other secrets.
#   sh ops/deploy/compose/proof/make-files.sh FOLDER
set -eu
folder="$1"
mkdir -p "$folder/secrets/vendors" "$folder/vendor"
# Only a test vendor's certificate is signed by it.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=proof authority' \
  -keyout "$folder/authority.key" -out "$folder/ca.pem" 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=vendor' \
  -keyout "$folder/vendor/key.pem" -out "$folder/vendor/request.pem" 2>/dev/null
printf 'subjectAltName=DNS:vendor\n' > "$folder/vendor/names"
openssl x509 -req -days 2 -in "$folder/vendor/request.pem" -CA "$folder/ca.pem" -CAkey "$folder/authority.key" -CAcreateserial \
  -extfile "$folder/vendor/names" -out "$folder/vendor/cert.pem" 2>/dev/null
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
printf 'sk_own_%s' "$(random)" > "$folder/secrets/vendors/own"
printf 'sk_live_%s' "$(random)" > "$folder/secrets/bootstrap_api_key"
chmod 444 "$folder/vendor/key.pem" "$folder/secrets/vendors/own" "$folder/secrets/bootstrap_api_key"
SECRETS_DIR="$folder/secrets" sh "$(dirname "$0")/../make-secrets.sh" > /dev/null
