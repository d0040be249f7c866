# gantry: get-reset-plan
# What there is to be removed: on drives of this host, and nothing that another virtual machine uses. Reads only.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
$Used = @(Get-VM | Where-Object { $_.Name -ne $Values.vmName } |
  ForEach-Object { $_.Path; $_.ConfigurationLocation; $_.SnapshotFileLocation; $_.HardDrives | ForEach-Object { $_.Path } })
$Folders = @()
# Drives of the network are somebody else's, whatever they are called here.
foreach ($Drive in @([IO.DriveInfo]::GetDrives() | Where-Object { $_.DriveType.ToString() -eq 'Fixed' -and $_.IsReady })) {
  $Path = "$($Drive.Name.Substring(0, 1))".ToUpperInvariant() + ':\DuneAwakeningServer'
  $Users = @($Used | Where-Object { "$_\".StartsWith("$Path\", [StringComparison]::OrdinalIgnoreCase) })
  if ((Test-Path -LiteralPath $Path) -and $Users.Count -eq 0) {
    $Sum = (Get-ChildItem -LiteralPath $Path -Recurse -File -Force -ErrorAction SilentlyContinue | Measure-Object -Property Length -Sum).Sum
    $Folders += @{ path = $Path; bytes = [long]$Sum }
  }
}
$Keys = @(Get-ChildItem -Path ([IO.Path]::Combine([Environment]::GetFolderPath('LocalApplicationData'), 'DuneAwakeningServer')) -Filter 'sshKey*' -File -Force -ErrorAction SilentlyContinue |
  ForEach-Object { $_.FullName })
@{
  vmState = $(if ($null -eq $Vm) { $null } else { $Vm.State.ToString() })
  folders = @($Folders)
  keys = @($Keys)
}
