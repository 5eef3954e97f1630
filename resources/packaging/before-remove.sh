#!/bin/sh
# Before removal: entries in the configuration of clients belong to the users, so the package leaves them and says so.
case ${1-} in upgrade | failed-upgrade | deconfigure | 1) exit 0 ;; esac
echo 'Lisp Harbor leaves the entries of connected programs, sessions and history in the home folders of its users.'
echo 'A user who wants the entries gone runs "lisp-harbor clients remove --all" while the package is installed.'
