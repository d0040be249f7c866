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
  # Its name is translated; its id is the same on every Windows.
  $Switch = Get-VMSwitch | Where-Object { "$($_.Id)" -eq 'c08cb7b8-9b3c-408e-8e30-5e16a3aeb444' } | Select-Object -First 1
  if ($null -eq $Switch) { throw 'this host has no default switch' }
}
Get-VMNetworkAdapter -VM $Vm | Connect-VMNetworkAdapter -VMSwitch $Switch
@{ switch = "$($Switch.Name)" }
