@rem npm runs the scripts of package.json. They begin with exec, so that signals reach Node; cmd.exe lacks that command.
@%*
