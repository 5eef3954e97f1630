#!/bin/sh
# After removal: nothing of ours stays outside of the users' own folders. An upgrade removes the older package's files as well,
# after the newer one's are there: dpkg then calls this with "upgrade", rpm with 1.
set -e
case ${1-} in upgrade | failed-upgrade | abort-* | disappear | 1) exit 0 ;; esac

if [ "$(readlink '/usr/bin/${executable}')" = '/opt/${sanitizedProductName}/bin/${executable}' ]; then
  rm -f '/usr/bin/${executable}'
fi
if [ -f '/etc/apparmor.d/${executable}' ]; then
  if apparmor_status --enabled >/dev/null 2>&1; then
    ischroot 2>/dev/null || apparmor_parser --remove '/etc/apparmor.d/${executable}' || true
  fi
  rm -f '/etc/apparmor.d/${executable}'
fi
if command -v update-desktop-database >/dev/null; then
  update-desktop-database -q /usr/share/applications || true
fi
