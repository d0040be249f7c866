# gantry: install-key
# Puts the vendor's key where the manager looks for it, readable by this user only; keeps one that is there.
$Folder = Join-Path ([Environment]::GetFolderPath('LocalApplicationData')) 'DuneAwakeningServer'
$Target = Join-Path $Folder 'sshKey'
if (Test-Path -LiteralPath $Target) {
  @{ path = $Target; installed = $false; found = $true }
} else {
  $Package = Split-Path -Parent (Split-Path -Parent $Values.vmcxPath)
  $Source = Join-Path $Package 'battlegroup-management\ssh\sshKey'
  if (Test-Path -LiteralPath $Source) {
    if (-not (Test-Path -LiteralPath $Folder)) { New-Item -ItemType Directory -Path $Folder | Out-Null }
    Copy-Item -LiteralPath $Source -Destination $Target
    $User = [Security.Principal.WindowsIdentity]::GetCurrent().Name
    & icacls.exe $Target /inheritance:r /grant:r "${User}:(F)" | Out-Null
    if ($LASTEXITCODE -ne 0) { throw "icacls ended with $LASTEXITCODE" }
    @{ path = $Target; installed = $true; found = $true }
  } else {
    @{ path = $Target; installed = $false; found = $false }
  }
}
