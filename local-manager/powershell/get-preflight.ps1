# gantry: get-preflight
# What the host has for a virtual machine of the game. Reads only.
$Drives = @([IO.DriveInfo]::GetDrives() | Where-Object { $_.DriveType.ToString() -eq 'Fixed' -and $_.IsReady } |
  ForEach-Object { @{ name = "$($_.Name.Substring(0, 1))".ToUpperInvariant(); freeBytes = [long]$_.AvailableFreeSpace } })
$Adapters = @(Get-NetAdapter -ErrorAction SilentlyContinue |
  Where-Object { $_.Status -eq 'Up' -and $_.InterfaceDescription -notmatch 'Hyper-V|Virtual' } |
  ForEach-Object { @{ name = "$($_.Name)"; description = "$($_.InterfaceDescription)" } })
# Every library that Steam knows is a place to look in.
$Libraries = @()
foreach ($Key in 'HKLM:\SOFTWARE\WOW6432Node\Valve\Steam', 'HKLM:\SOFTWARE\Valve\Steam') {
  $Steam = (Get-ItemProperty -Path $Key -ErrorAction SilentlyContinue).InstallPath
  if ($Steam) {
    $Libraries += $Steam
    $List = Join-Path $Steam 'steamapps\libraryfolders.vdf'
    if (Test-Path -LiteralPath $List) {
      $Libraries += @(Select-String -LiteralPath $List -Pattern '"path"\s+"([^"]+)"' |
        ForEach-Object { $_.Matches[0].Groups[1].Value -replace '\\\\', '\' })
    }
  }
}
$Package = $null
foreach ($Library in ($Libraries | Select-Object -Unique)) {
  $Folder = Join-Path $Library 'steamapps\common\Dune Awakening Self-Hosted Server'
  $Found = Get-ChildItem -Path (Join-Path $Folder 'Virtual Machines') -Filter '*.vmcx' -ErrorAction SilentlyContinue |
    Select-Object -First 1
  if ($null -eq $Package -and $null -ne $Found) { $Package = $Found.FullName }
}
$Elevated = ([Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()).IsInRole(
  [Security.Principal.WindowsBuiltInRole]::Administrator)
@{
  elevated = [bool]$Elevated
  hasSsh = $null -ne (Get-Command -Name ssh.exe -ErrorAction SilentlyContinue)
  drives = @($Drives)
  nics = @($Adapters)
  vmcxPath = $Package
}
