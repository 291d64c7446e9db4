#!/bin/sh
# What a pod of Kubernetes sees, as the user of its manifest: a new root that is read-only, with its volumes.
# usage: unshare --mount sh pod.sh ROOT PROGRAM FILES VOLUME…; then comes -- and the words of env and of the command.
# FILES has the files of jobs and secrets by their complete paths, and DELIVERED, which outlives the pod.
set -eu
root=$1 program=$2 files=$3
shift 3
mount -t tmpfs -o mode=755 pod "$root"
for folder in usr dev proc; do
  mkdir "$root/$folder"
  mount --rbind "/$folder" "$root/$folder"
done
for folder in bin lib lib64; do
  if [ -L "/$folder" ]; then cp -P "/$folder" "$root"; elif [ -d "/$folder" ]; then mkdir "$root/$folder" && mount --rbind "/$folder" "$root/$folder"; fi
done
mkdir "$root/program" "$root/image" "$root/delivered"
mount --bind "$program" "$root/program"
mount --bind "$files/delivered" "$root/delivered"
cp -r "$files/etc" "$root"
printf '#!/bin/sh\nexec /program/node_modules/node/bin/node /program/bin/run.js "$@"\n' > "$root/image/vendorctl"
chmod 755 "$root/image/vendorctl"
while [ "$1" != -- ]; do
  mkdir -p "$root$1"
  mount -t tmpfs -o mode=2777,gid=1000 volume "$root$1"
  shift
done
shift
mount -o remount,ro "$root"
exec chroot --userspec=1000:1000 --groups=1000 "$root" sh -c 'cd "$1" && shift && exec env -i PATH=/image:/usr/bin:/bin "$@"' sh "$@"
