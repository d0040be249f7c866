# gantry: remove-folder
# Removes an install folder with all that is in it, or only one that a copy has left half-way; no other folder.
if ($Values.path -notmatch '^[A-Z]:\\DuneAwakeningServer$') { throw "not an install folder: $($Values.path)" }
$Path = $Values.path
function Remove-Tree([string]$Folder) {
  foreach ($Entry in [IO.Directory]::GetFileSystemEntries($Folder)) {
    $Attributes = [IO.File]::GetAttributes($Entry)
    if ($Attributes -band [IO.FileAttributes]::Directory) {
      # A link leads elsewhere; what is there belongs to somebody else. Only the link goes.
      if ($Attributes -band [IO.FileAttributes]::ReparsePoint) { [IO.Directory]::Delete($Entry, $false) } else { Remove-Tree $Entry }
    } else {
      if ($Attributes -band [IO.FileAttributes]::ReadOnly) { [IO.File]::SetAttributes($Entry, [IO.FileAttributes]::Normal) }
      [IO.File]::Delete($Entry)
    }
  }
  [IO.Directory]::Delete($Folder, $false)
}
if (Test-Path -LiteralPath $Path) {
  if (([IO.DriveInfo]::new($Path.Substring(0, 3))).DriveType.ToString() -ne 'Fixed') { throw "$Path is on no drive of this host" }
  $Item = Get-Item -LiteralPath $Path -Force
  if ($Item.Attributes -band [IO.FileAttributes]::ReparsePoint) { throw "$Path is a link; remove it yourself" }
  $Used = @(Get-VM | ForEach-Object { $_.Path; $_.ConfigurationLocation; $_.SnapshotFileLocation; $_.HardDrives | ForEach-Object { $_.Path } } |
    Where-Object { "$_\".StartsWith("$Path\", [StringComparison]::OrdinalIgnoreCase) })
  if ($Used.Count -gt 0) { throw "a virtual machine still uses $($Used[0])" }
  $Mutex = New-Object Threading.Mutex($false, 'Global\GantryDuneImport')
  try { $IsFree = $Mutex.WaitOne(0) } catch [Threading.AbandonedMutexException] { $IsFree = $true }
  if (-not $IsFree) { throw 'a copy is still being made; wait until it has ended' }
  $IsLeft = (Test-Path -LiteralPath ([IO.Path]::Combine($Path, 'gantry-copying.txt'))) -or [IO.Directory]::GetFileSystemEntries($Path).Length -eq 0
  if ($IsLeft -or -not $Values.onlyLeft) { Remove-Tree $Path }
}
@{ exists = Test-Path -LiteralPath $Path }
