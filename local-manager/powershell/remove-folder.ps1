# gantry: remove-folder
# Removes an install folder with all that is in it; no other folder.
if ($Values.path -notmatch '^[A-Z]:\\DuneAwakeningServer$') { throw "not an install folder: $($Values.path)" }
$Path = $Values.path
if (Test-Path -LiteralPath $Path) {
  $Item = Get-Item -LiteralPath $Path -Force
  # A link leads elsewhere; what is there belongs to somebody else.
  if ($Item.Attributes -band [IO.FileAttributes]::ReparsePoint) { throw "$Path is a link; remove it yourself" }
  Remove-Item -LiteralPath $Path -Recurse -Force
}
@{ exists = Test-Path -LiteralPath $Path }
