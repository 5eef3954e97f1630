#!/bin/sh
# After the package was unpacked: `lisp-harbor` on the PATH, Chromium's sandbox where the kernel gives it no user namespaces,
# and on Ubuntu, whose AppArmor asks for a name of whoever makes one, that name.
set -e
app='/opt/${sanitizedProductName}'
ln -sf "$app/bin/${executable}" '/usr/bin/${executable}'

if unshare --user true 2>/dev/null; then mode=0755; else mode=4755; fi
chmod "$mode" "$app/chrome-sandbox"

if command -v update-desktop-database >/dev/null; then
  update-desktop-database -q /usr/share/applications || true
fi
if command -v gtk-update-icon-cache >/dev/null; then
  gtk-update-icon-cache -q /usr/share/icons/hicolor || true
fi

profile="$app/resources/apparmor-profile"
# An AppArmor that cannot read the profile is older than the rule that it is for.
if apparmor_status --enabled >/dev/null 2>&1 && apparmor_parser --skip-kernel-load "$profile" >/dev/null 2>&1; then
  cp -f "$profile" '/etc/apparmor.d/${executable}'
  ischroot 2>/dev/null || apparmor_parser --replace '/etc/apparmor.d/${executable}' || true
fi
