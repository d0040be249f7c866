# gantry: connect-network
# Connects the virtual machine to a switch on a network adapter, or to the host's default switch.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -eq $Vm) { Write-Error -Message 'no such virtual machine' -ErrorId 'GantryVmMissing' }
if ($Values.mode -eq 'external') {
  $Adapter = Get-NetAdapter | Where-Object { $_.Name -eq $Values.nicName } | Select-Object -First 1
  if ($null -eq $Adapter) { throw "there is no network adapter $($Values.nicName)" }
  $Switch = Get-VMSwitch -SwitchType External |
    Where-Object { $_.NetAdapterInterfaceDescription -eq $Adapter.InterfaceDescription } | Select-Object -First 1
  if ($null -eq $Switch) {
    $Switch = New-VMSwitch -Name 'DuneAwakeningServerSwitch' -NetAdapterName $Adapter.Name -AllowManagementOS $true
  }
} else {
  $Switch = Get-VMSwitch | Where-Object { $_.Name -eq 'Default Switch' } | Select-Object -First 1
  if ($null -eq $Switch) { throw 'this host has no default switch' }
}
Get-VMNetworkAdapter -VM $Vm | Connect-VMNetworkAdapter -VMSwitch $Switch
@{ switch = "$($Switch.Name)" }
