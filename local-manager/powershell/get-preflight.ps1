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
    $List = [IO.Path]::Combine($Steam, 'steamapps\libraryfolders.vdf')
    if ([IO.File]::Exists($List)) {
      $Libraries += @([regex]::Matches([IO.File]::ReadAllText($List), '"path"\s+"([^"]+)"') |
        ForEach-Object { $_.Groups[1].Value -replace '\\\\', '\' })
    }
  }
}
$Package = $null
$Unread = @()
foreach ($Library in ($Libraries | Select-Object -Unique)) {
  # A library may be on a drive that is unplugged or cannot be read; the others count all the same.
  try {
    $Folder = [IO.Path]::Combine($Library, 'steamapps\common\Dune Awakening Self-Hosted Server\Virtual Machines')
    if ($null -eq $Package -and [IO.Directory]::Exists($Folder)) {
      $Package = [IO.Directory]::GetFiles($Folder, '*.vmcx') | Select-Object -First 1
    }
  } catch { $Unread += @("$Library") }
}
$Elevated = ([Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()).IsInRole(
  [Security.Principal.WindowsBuiltInRole]::Administrator)
@{
  elevated = [bool]$Elevated
  hasSsh = $null -ne (Get-Command -Name ssh.exe -ErrorAction SilentlyContinue)
  drives = @($Drives)
  nics = @($Adapters)
  vmcxPath = $Package
  unreadLibraries = @($Unread)
}
