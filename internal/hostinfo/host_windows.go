package hostinfo

import (
	"fmt"
	"syscall"
	"unsafe"
)

func (i *Info) addHost() {
	i.OS = windowsVersion()
	i.CPUModel = registryString(`HARDWARE\DESCRIPTION\System\CentralProcessor\0`, "ProcessorNameString")
	i.MemoryBytes = windowsMemory()
}

// windowsVersion asks RtlGetVersion, since GetVersionEx answers with what the
// manifest of the program claims to know.
func windowsVersion() string {
	// RTL_OSVERSIONINFOW, see winnt.h.
	var v struct {
		size, major, minor, build, platform uint32
		servicePack                         [128]uint16
	}
	v.size = uint32(unsafe.Sizeof(v))
	proc := syscall.NewLazyDLL("ntdll.dll").NewProc("RtlGetVersion")
	if proc.Find() != nil {
		return ""
	}
	if status, _, _ := proc.Call(uintptr(unsafe.Pointer(&v))); status != 0 {
		return ""
	}
	return fmt.Sprintf("Windows %d.%d.%d", v.major, v.minor, v.build)
}

func windowsMemory() int64 {
	// MEMORYSTATUSEX, see sysinfoapi.h.
	var m struct {
		size, load                                                                        uint32
		totalPhys, availPhys, totalPage, availPage, totalVirtual, availVirtual, availExtd uint64
	}
	m.size = uint32(unsafe.Sizeof(m))
	proc := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if proc.Find() != nil {
		return 0
	}
	if ok, _, _ := proc.Call(uintptr(unsafe.Pointer(&m))); ok == 0 {
		return 0
	}
	return int64(m.totalPhys)
}

func registryString(path, name string) string {
	p, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return ""
	}
	n, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return ""
	}
	var key syscall.Handle
	if syscall.RegOpenKeyEx(syscall.HKEY_LOCAL_MACHINE, p, 0, syscall.KEY_READ, &key) != nil {
		return ""
	}
	defer syscall.RegCloseKey(key)
	var buf [256]uint16
	var kind uint32
	size := uint32(unsafe.Sizeof(buf))
	if syscall.RegQueryValueEx(key, n, nil, &kind, (*byte)(unsafe.Pointer(&buf[0])), &size) != nil || kind != syscall.REG_SZ {
		return ""
	}
	return oneLine(syscall.UTF16ToString(buf[:]))
}
