# gantry: get-reset-plan
# What there is to be removed. Reads only.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
$Folders = @()
foreach ($Drive in @(Get-PSDrive -PSProvider FileSystem | Where-Object { $_.Name -match '^[A-Za-z]$' })) {
  $Path = "$($Drive.Name)".ToUpperInvariant() + ':\DuneAwakeningServer'
  if (Test-Path -LiteralPath $Path) {
    $Sum = (Get-ChildItem -LiteralPath $Path -Recurse -File -Force -ErrorAction SilentlyContinue | Measure-Object -Property Length -Sum).Sum
    $Folders += @{ path = $Path; bytes = [long]$Sum }
  }
}
$Keys = @(Get-ChildItem -Path (Join-Path ([Environment]::GetFolderPath('LocalApplicationData')) 'DuneAwakeningServer') -Filter 'sshKey*' -File -Force -ErrorAction SilentlyContinue |
  ForEach-Object { $_.FullName })
@{
  vmState = $(if ($null -eq $Vm) { $null } else { $Vm.State.ToString() })
  folders = @($Folders)
  keys = @($Keys)
}
