//! Objects of a library in C.

/// An object and the function that frees it.
pub struct Owned<Object>(pub *mut Object, unsafe extern "C" fn(*mut Object));

impl<Object> Owned<Object> {
    /// `None` of a null pointer.
    ///
    /// # Safety
    ///
    /// Nobody else frees the object, and the function may free it on this thread.
    pub unsafe fn new(object: *mut Object, free: unsafe extern "C" fn(*mut Object)) -> Option<Self> {
        (!object.is_null()).then_some(Self(object, free))
    }
}

impl<Object> Drop for Owned<Object> {
    fn drop(&mut self) {
        unsafe { self.1(self.0) };
    }
}
