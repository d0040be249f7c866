# gantry: stop-vm
# Has the guest shut down; pulls its plug instead where asked to.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -eq $Vm) { Write-Error -Message 'no such virtual machine' -ErrorId 'GantryVmMissing' }
if ($Vm.State.ToString() -ne 'Off') {
  if ($Values.turnOff) { Stop-VM -VM $Vm -TurnOff -Force } else { Stop-VM -VM $Vm -Force }
}
@{ state = (Get-VM -Id $Vm.Id).State.ToString() }
