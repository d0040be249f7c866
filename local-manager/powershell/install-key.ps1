# gantry: install-key
# Puts the vendor's key where the manager looks for it, readable by this user only. A key of a machine before this one
# is moved aside: the machine that has just been copied does not know it.
$Folder = [IO.Path]::Combine([Environment]::GetFolderPath('LocalApplicationData'), 'DuneAwakeningServer')
$Target = [IO.Path]::Combine($Folder, 'sshKey')
$Package = Split-Path -Parent (Split-Path -Parent $Values.vmcxPath)
$Source = [IO.Path]::Combine($Package, 'battlegroup-management\ssh\sshKey')
if (-not (Test-Path -LiteralPath $Source)) {
  @{ path = $Target; installed = $false; found = Test-Path -LiteralPath $Target }
} else {
  if (-not (Test-Path -LiteralPath $Folder)) { New-Item -ItemType Directory -Path $Folder | Out-Null }
  $Aside = $null
  if (Test-Path -LiteralPath $Target) {
    $Aside = "$Target.before-" + (Get-Date -Format 'yyyyMMddHHmmssfff')
    Move-Item -LiteralPath $Target -Destination $Aside -Force
    if (Test-Path -LiteralPath "$Target.pub") { Move-Item -LiteralPath "$Target.pub" -Destination "$Aside.pub" -Force }
  }
  Copy-Item -LiteralPath $Source -Destination $Target
  # icacls does not find every account by its name: cloud accounts and names in other scripts have only their SID.
  $User = [Security.Principal.WindowsIdentity]::GetCurrent().User.Value
  & icacls.exe $Target /inheritance:r /grant:r "*${User}:(F)" | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "icacls ended with $LASTEXITCODE" }
  @{ path = $Target; installed = $true; found = $true; movedTo = $Aside }
}
