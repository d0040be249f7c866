# gantry: remove-vm
# Switches the virtual machine off and takes it out of Hyper-V. Its files stay; they are removed with their folder.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -ne $Vm) {
  if ($Vm.State.ToString() -ne 'Off') { Stop-VM -VM $Vm -TurnOff -Force }
  Remove-VM -VM $Vm -Force
}
@{ removed = $null -ne $Vm; exists = @(Get-VM | Where-Object { $_.Name -eq $Values.vmName }).Count -gt 0 }
