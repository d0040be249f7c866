# gantry: read-bootstrap
# The vendor's setup program for the guest, as base64. Reads only.
$Package = Split-Path -Parent (Split-Path -Parent $Values.vmcxPath)
$File = [IO.Path]::Combine($Package, 'battlegroup-management\bootstrap\setup')
if (-not (Test-Path -LiteralPath $File)) { throw "the vendor's package has no $File" }
@{ content = [Convert]::ToBase64String([IO.File]::ReadAllBytes($File)) }
