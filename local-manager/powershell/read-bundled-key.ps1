# gantry: read-bundled-key
# The SSH key that the vendor's package brings along, as base64; nothing for a package without one. Reads only.
$Package = Split-Path -Parent (Split-Path -Parent $Values.vmcxPath)
$File = [IO.Path]::Combine($Package, 'battlegroup-management\ssh\sshKey')
@{ content = $(if (Test-Path -LiteralPath $File) { [Convert]::ToBase64String([IO.File]::ReadAllBytes($File)) } else { $null }) }
