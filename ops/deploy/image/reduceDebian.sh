#!/bin/sh
# Writes a small system into a folder: Debian's packages that the programs load, BusyBox as the shell, certificates, the user `node`.
#   sh reduceDebian.sh FOLDER
set -eu
root="$1"
packages='base-files busybox gcc-12-base libatomic1 libc6 libgcc-s1 libstdc++6 netbase'
debs="$(mktemp -d)"
chmod 755 "$debs"

mkdir -p "$root/var/lib/dpkg/status.d"
apt-get update
# apt compares each file with the checksums that Debian has signed.
(cd "$debs" && apt-get download $packages)
for deb in "$debs"/*.deb; do
  dpkg-deb --extract "$deb" "$root"
  dpkg-deb --field "$deb" > "$root/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"
done

# Converters of character sets and texts that no program reads. Copyrights stay.
rm -rf "$root"/usr/lib/*/gconv "$root"/usr/share/man "$root"/usr/share/locale "$root"/usr/share/lintian "$root"/usr/share/bug
find "$root/usr/share/doc" -type f ! -name copyright -delete

mkdir -p "$root/etc/ssl/certs" "$root/home/node" "$root/tmp"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
printf 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' > "$root/etc/group"
printf 'hosts: files dns\n' > "$root/etc/nsswitch.conf"
chown 1000:1000 "$root/home/node"
chmod 1777 "$root/tmp"
chroot "$root" /bin/busybox --install -s /bin
