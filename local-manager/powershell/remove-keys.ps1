# gantry: remove-keys
# Removes the keys of the virtual machine from this user's local data, whose rights may be narrow.
$Folder = [IO.Path]::Combine([Environment]::GetFolderPath('LocalApplicationData'), 'DuneAwakeningServer')
$Removed = @()
foreach ($Key in @(Get-ChildItem -Path $Folder -Filter 'sshKey*' -File -Force -ErrorAction SilentlyContinue)) {
  & takeown.exe /f $Key.FullName | Out-Null
  & icacls.exe $Key.FullName /reset | Out-Null
  Remove-Item -LiteralPath $Key.FullName -Force
  $Removed += $Key.FullName
}
@{ removed = @($Removed) }
