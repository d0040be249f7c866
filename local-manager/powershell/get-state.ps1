# gantry: get-state
# What the host and its virtual machine are like now. Reads only.
$System = Get-CimInstance -ClassName Win32_OperatingSystem
$State = @{
  powerShell = $PSVersionTable.PSVersion.ToString()
  windows = "$($System.Version)"
  memoryTotalBytes = [long]$System.TotalVisibleMemorySize * 1024
  memoryFreeBytes = [long]$System.FreePhysicalMemory * 1024
  vm = $null
}
Import-Module -Name Hyper-V
$Service = Get-Service -Name vmms -ErrorAction SilentlyContinue
if ($null -eq $Service -or $Service.Status.ToString() -ne 'Running') {
  Write-Error -Message 'vmms does not run' -ErrorId 'GantryServiceStopped'
}
# All of them are asked for: a name that does not exist and a lack of rights look the same otherwise.
$Vm = Get-VM | Where-Object { $_.Name -eq $Values.vmName } | Select-Object -First 1
if ($null -ne $Vm) {
  $Adapters = @(Get-VMNetworkAdapter -VM $Vm)
  $Addresses = @($Adapters | ForEach-Object { $_.IPAddresses } | Where-Object { $_ -match '^\d+\.\d+\.\d+\.\d+$' })
  if ($Addresses.Count -eq 0 -and $Vm.State.ToString() -eq 'Running') {
    # A guest without Hyper-V's services does not tell its address; the neighbours of the host know it by its MAC.
    $Macs = @($Adapters | ForEach-Object { ($_.MacAddress -replace '(..)(?=.)', '$1-') })
    # What it was called yesterday may still be among them: those that were heard of last come first.
    $Addresses = @(Get-NetNeighbor -AddressFamily IPv4 -ErrorAction SilentlyContinue |
      Where-Object { $Macs -contains $_.LinkLayerAddress -and @('Unreachable', 'Incomplete') -notcontains $_.State.ToString() } |
      Sort-Object -Property @{ Expression = { @('Reachable', 'Permanent', 'Delay', 'Probe') -notcontains $_.State.ToString() } } |
      ForEach-Object { $_.IPAddress })
  }
  $State.vm = @{
    id = "$($Vm.Id)"
    state = $Vm.State.ToString()
    memoryAssignedBytes = [long]$Vm.MemoryAssigned
    memoryStartupBytes = [long]$Vm.MemoryStartup
    uptimeSeconds = [long]$Vm.Uptime.TotalSeconds
    addresses = @($Addresses)
  }
}
$State
