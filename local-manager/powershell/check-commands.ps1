# gantry: check-commands
# Whether the commands that the other scripts use are there, with the parameters that they use. Reads only.
$Wanted = @{
  'Compare-VM' = @('Path', 'Copy', 'GenerateNewId', 'VirtualMachinePath', 'VhdDestinationPath')
  'Connect-VMNetworkAdapter' = @('VMSwitch')
  'Disconnect-VMNetworkAdapter' = @()
  'Get-CimInstance' = @('ClassName')
  'Get-NetAdapter' = @()
  'Get-NetNeighbor' = @('AddressFamily')
  'Get-VHD' = @('Path')
  'Get-VM' = @('Id')
  'Get-VMHardDiskDrive' = @('VM')
  'Get-VMMemory' = @('VM')
  'Get-VMNetworkAdapter' = @('VM')
  'Get-VMSwitch' = @('SwitchType')
  'Import-VM' = @('CompatibilityReport', 'AsJob')
  'New-VMSwitch' = @('Name', 'NetAdapterName', 'AllowManagementOS')
  'Remove-VM' = @('VM', 'Force')
  'Rename-VM' = @('VM', 'NewName')
  'Resize-VHD' = @('Path', 'SizeBytes')
  'Set-VMFirmware' = @('VM', 'FirstBootDevice')
  'Set-VMMemory' = @('VM', 'StartupBytes', 'MinimumBytes', 'MaximumBytes')
  'Start-VM' = @('VM')
  'Stop-VM' = @('VM', 'TurnOff', 'Force')
}
$Missing = @()
foreach ($Name in $Wanted.Keys) {
  $Command = Get-Command -Name $Name -ErrorAction SilentlyContinue
  if ($null -eq $Command) { $Missing += $Name; continue }
  foreach ($Parameter in $Wanted[$Name]) {
    if (-not $Command.Parameters.ContainsKey($Parameter)) { $Missing += "$Name -$Parameter" }
  }
}
$Programs = @('icacls.exe', 'takeown.exe', 'schtasks.exe', 'conhost.exe', 'whoami.exe')
$Absent = @($Programs | Where-Object { -not [IO.File]::Exists([IO.Path]::Combine([Environment]::SystemDirectory, $_)) })
$Default = $null
try {
  $Default = Get-VMSwitch | Where-Object { "$($_.Id)" -eq 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444' } | Select-Object -First 1
} catch { $Missing += "Get-VMSwitch: $($_.Exception.Message)" }
@{
  missing = @($Missing | Sort-Object)
  absent = @($Absent)
  defaultSwitch = $(if ($null -eq $Default) { $null } else { "$($Default.Name)" })
  culture = "$([Globalization.CultureInfo]::CurrentUICulture.Name)"
  languageMode = "$($ExecutionContext.SessionState.LanguageMode)"
  sid = "$([Security.Principal.WindowsIdentity]::GetCurrent().User.Value)" -match '^S-1-'
}
